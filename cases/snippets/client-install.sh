pip install goldloop
