// The headers that targets share are precompiled with this file.
