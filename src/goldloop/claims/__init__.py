"""Claims: records that other records (sources) support. Each claim stores how many sources it has and their mean quality;
marks keep both up to date."""
