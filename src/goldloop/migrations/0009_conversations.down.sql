DROP TABLE conversation_words, conv_messages, conv_turns, conversations;
